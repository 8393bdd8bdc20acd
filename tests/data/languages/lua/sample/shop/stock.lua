local Shelf = {}
--    ^^^^^ definition class Shelf

-- Makes an empty shelf.
function Shelf.new(size)
--             ^^^ definition method Shelf.new
  return setmetatable({ size = size }, Shelf)
--                                     ^^^^^ reference read -> Shelf
end

function Shelf:fill(things)
--             ^^^^ definition method Shelf.fill
  self.things = things
--     ^^^^^^ definition field Shelf.things
  self:check()
--     ^^^^^ reference call -> Shelf.check
end

function Shelf:check() end
--             ^^^^^ definition method Shelf.check

return Shelf
