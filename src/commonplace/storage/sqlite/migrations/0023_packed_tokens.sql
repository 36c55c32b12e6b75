-- 23: tokens that searches do not read are packed: with the text beside them as the dictionary they
-- take a third of the room. The text index stays as it is; it only finds them by way of a view.

DROP TRIGGER passages_added;
DROP TRIGGER passages_removed;
DROP TRIGGER passages_changed;
DROP TRIGGER passages_to_post;
DROP TRIGGER passages_to_post_anew;
DROP TRIGGER passages_to_forget;
DROP TABLE passages_fts;
ALTER TABLE passages RENAME TO plain_passages;

CREATE TABLE passages (
    chunk_key     INTEGER NOT NULL PRIMARY KEY REFERENCES chunks (key) ON DELETE CASCADE,
    org           TEXT    NOT NULL,
    text          TEXT    NOT NULL,
    context       TEXT    NOT NULL,
    terms         TEXT    NOT NULL,
    context_terms TEXT    NOT NULL,
    tokens        BLOB    NOT NULL,
    headings      TEXT    NOT NULL DEFAULT '[]'
) STRICT;

INSERT INTO passages (chunk_key, org, text, context, terms, context_terms, tokens, headings)
SELECT chunk_key, org, text, context, terms, context_terms,
       packed(words, title_grams, scope, text), headings
FROM plain_passages;

DROP TABLE plain_passages;

CREATE VIEW passage_tokens AS
SELECT chunk_key, org, terms, context_terms, unpacked(tokens, text, 0) AS words,
       unpacked(tokens, text, 1) AS title_grams, unpacked(tokens, text, 2) AS scope
FROM passages;

-- The analyser makes the tokens; the `ascii` tokenizer leaves them unchanged.
CREATE VIRTUAL TABLE passages_fts USING fts5 (
    scope, context_terms, terms, words, title_grams,
    content = 'passage_tokens', content_rowid = 'chunk_key', tokenize = 'ascii'
);

INSERT INTO passages_fts (passages_fts) VALUES ('rebuild');

CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
    INSERT INTO passages_fts (rowid, scope, context_terms, terms, words, title_grams)
    VALUES (new.chunk_key, unpacked(new.tokens, new.text, 2), new.context_terms, new.terms,
            unpacked(new.tokens, new.text, 0), unpacked(new.tokens, new.text, 1));
END;

CREATE TRIGGER passages_removed AFTER DELETE ON passages BEGIN
    INSERT INTO passages_fts (passages_fts, rowid, scope, context_terms, terms, words, title_grams)
    VALUES ('delete', old.chunk_key, unpacked(old.tokens, old.text, 2), old.context_terms,
            old.terms, unpacked(old.tokens, old.text, 0), unpacked(old.tokens, old.text, 1));
END;

CREATE TRIGGER passages_changed
AFTER UPDATE OF text, context_terms, terms, tokens ON passages BEGIN
    INSERT INTO passages_fts (passages_fts, rowid, scope, context_terms, terms, words, title_grams)
    VALUES ('delete', old.chunk_key, unpacked(old.tokens, old.text, 2), old.context_terms,
            old.terms, unpacked(old.tokens, old.text, 0), unpacked(old.tokens, old.text, 1));
    INSERT INTO passages_fts (rowid, scope, context_terms, terms, words, title_grams)
    VALUES (new.chunk_key, unpacked(new.tokens, new.text, 2), new.context_terms, new.terms,
            unpacked(new.tokens, new.text, 0), unpacked(new.tokens, new.text, 1));
END;

CREATE TRIGGER passages_to_post AFTER INSERT ON passages BEGIN
    INSERT INTO unposted (org, chunk_key) VALUES (new.org, new.chunk_key);
END;

CREATE TRIGGER passages_to_post_anew
AFTER UPDATE OF text, context_terms, terms, tokens ON passages BEGIN
    INSERT INTO unposted (org, chunk_key) VALUES (new.org, new.chunk_key);
END;

CREATE TRIGGER passages_to_forget AFTER DELETE ON passages BEGIN
    INSERT INTO unposted (org, chunk_key) VALUES (old.org, old.chunk_key);
END;
