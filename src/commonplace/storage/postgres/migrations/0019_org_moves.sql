-- Orgs that are on their way here or have gone to another database; nobody uses them here. Names only.
CREATE TABLE org_moves (
    moved text COLLATE "C" NOT NULL PRIMARY KEY,
    state text COLLATE "C" NOT NULL CHECK (state IN ('arriving', 'gone')),
    place text   NOT NULL,
    since bigint NOT NULL
);

GRANT SELECT ON org_moves TO commonplace_app;

-- Workers leave such orgs alone.
CREATE OR REPLACE FUNCTION all_orgs() RETURNS TABLE (org text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT o.org FROM orgs o WHERE NOT EXISTS (SELECT FROM org_moves m WHERE m.moved = o.org);
$$;

CREATE OR REPLACE FUNCTION waiting_orgs(moment bigint)
RETURNS TABLE (org text, urgency bigint, has_targets boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT o.org,
           (SELECT c.embedding_urgency FROM chunks c
            WHERE c.part IN (0, p.part)
              AND c.org = o.org AND c.embedding_due IS NOT NULL AND c.embedding_due <= moment
            ORDER BY c.embedding_urgency, c.embedding_due
            LIMIT 1),
           EXISTS (SELECT 1 FROM targets t WHERE t.org = o.org AND t.due <= moment)
    FROM orgs o LEFT JOIN org_partitions p USING (org)
    WHERE NOT EXISTS (SELECT FROM org_moves m WHERE m.moved = o.org);
$$;
