"""Resolution: links each reference in the files of a project to the definition that it means."""
