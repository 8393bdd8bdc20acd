"""Call edges judged by calls that really happened.

`sites` lists the call expressions of a source file, `recorder` notes which callable each of
them reached while a project's own tests ran, `judge` compares the notes with the index, and
`driver` prepares an environment, runs the tests and prints the verdict.
"""
