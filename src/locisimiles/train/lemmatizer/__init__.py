"""The lemmatizer: forms, rules and the choice between analyses, from treebanks."""
