-- compatible: yes, it only adds an index.

-- +goose Up
-- Which post of a tenant an account's post on its platform is.
CREATE INDEX contents_by_platform_post ON contents (tenant_id, platform_post_id) WHERE platform_post_id IS NOT NULL;

-- +goose Down
DROP INDEX contents_by_platform_post;
