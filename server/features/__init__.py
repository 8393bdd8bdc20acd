"""What an editor can ask for, one module for each kind of question.

A handler decodes its parameters, hands one call to a thread of the pool and encodes the outcome.
"""
