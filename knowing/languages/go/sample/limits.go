package shop

// limit is seen in all files of the folder.
const limit = 3
//    ^^^^^ definition constant limit private
