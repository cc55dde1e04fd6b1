PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "concordat_migrations" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO concordat_migrations VALUES('0001_initial','2026-11-22T03:40:57.349Z');
CREATE TABLE IF NOT EXISTS "concordat_migrations_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO concordat_migrations_lock VALUES('migration_lock',0);
CREATE TABLE IF NOT EXISTS "users" ("id" integer primary key autoincrement, "name" text not null, "email" text not null, "email_key" text not null, "phone" text, "city" text, "role" text not null, "status" text not null, "password_hash" text, "created_at" text not null, "updated_at" text not null, "version" integer default 1 not null, constraint "users_email_key" unique ("email_key")) strict;
INSERT INTO users VALUES(1,'Ada Lovelace','Ada@Example.com','ada@example.com','+1 555 0100','London','admin','active','$argon2id$v=19$m=19456,t=2,p=1$u3JF7JAEhHefFJEUSdj8xg$ftXEMiFTWh/XQc9dLKbOofNpVavvhUQWK3XKqYxnqN0','2026-01-01T00:00:00.000001Z','2026-01-01T00:00:00.000001Z',1);
INSERT INTO users VALUES(2,'Grace Hopper','grace@example.com','grace@example.com',NULL,NULL,'user','active',NULL,'2026-01-02T00:00:00.000000Z','2026-01-03T00:00:00.000000Z',3);
CREATE TABLE IF NOT EXISTS "posts" ("id" integer primary key, "title" text not null, "content" text not null, "author_id" integer not null references "users" ("id") on delete cascade, "created_at" text not null unique) strict;
INSERT INTO posts VALUES(1,'First','The first post.',1,'2026-01-06T00:00:00.000000Z');
INSERT INTO posts VALUES(2,'Second','The second post.',2,'2026-01-06T00:00:00.000001Z');
CREATE TABLE IF NOT EXISTS "post_clock" ("last_id" integer not null, "last_created_at" text) strict;
INSERT INTO post_clock VALUES(2,'2026-01-06T00:00:00.000001Z');
CREATE TABLE IF NOT EXISTS "orders" ("id" integer primary key autoincrement, "user_id" integer not null, "status" text not null, "total_cents" integer not null, "last_item_id" integer not null, "created_at" text not null, "updated_at" text not null, "version" integer default 1 not null) strict;
INSERT INTO orders VALUES(1,2,'pending',530,2,'2026-01-04T00:00:00.000000Z','2026-01-04T00:00:00.000000Z',1);
CREATE TABLE IF NOT EXISTS "order_items" ("order_id" integer not null references "orders" ("id") on delete cascade, "id" integer not null, "product_id" integer, "name" text not null, "quantity" integer not null, "unit_price_cents" integer not null, constraint "order_items_key" primary key ("order_id", "id")) strict, without rowid;
INSERT INTO order_items VALUES(1,1,1,'Twine',2,250);
INSERT INTO order_items VALUES(1,2,NULL,'Work',3,10);
CREATE TABLE IF NOT EXISTS "products" ("id" integer primary key autoincrement, "name" text not null, "description" text, "price_cents" integer not null, "version" integer default 1 not null) strict;
INSERT INTO products VALUES(1,'Twine','Strong.',250,1);
INSERT INTO products VALUES(2,'Shears',NULL,2450,1);
CREATE TABLE IF NOT EXISTS "categories" ("id" integer primary key autoincrement, "name" text not null unique) strict;
INSERT INTO categories VALUES(1,'Garden');
CREATE TABLE IF NOT EXISTS "product_categories" ("product_id" integer not null references "products" ("id") on delete cascade, "category_id" integer not null references "categories" ("id"), constraint "product_categories_key" primary key ("product_id", "category_id")) strict, without rowid;
INSERT INTO product_categories VALUES(1,1);
CREATE TABLE IF NOT EXISTS "comments" ("id" integer primary key autoincrement, "order_id" integer not null references "orders" ("id") on delete cascade, "user_id" integer not null references "users" ("id") on delete cascade, "order_user_id" integer not null, "text" text not null, "created_at" text not null) strict;
INSERT INTO comments VALUES(1,1,2,2,'Soon, please.','2026-01-05T00:00:00.000000Z');
CREATE TABLE IF NOT EXISTS "counters" ("table_name" text not null, "shard" integer not null, "value" integer not null, constraint "counters_key" primary key ("table_name", "shard")) strict, without rowid;
INSERT INTO counters VALUES('comments',0,1);
INSERT INTO counters VALUES('orders',0,1);
INSERT INTO counters VALUES('products',0,2);
INSERT INTO counters VALUES('users',0,2);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('users',2);
INSERT INTO sqlite_sequence VALUES('products',2);
INSERT INTO sqlite_sequence VALUES('categories',1);
INSERT INTO sqlite_sequence VALUES('orders',1);
INSERT INTO sqlite_sequence VALUES('comments',1);
CREATE INDEX "users_role_index" on "users" ("role");
CREATE INDEX "users_role_status_index" on "users" ("role", "status");
CREATE INDEX "users_role_status_city_index" on "users" ("role", "status", "city");
CREATE INDEX "users_role_city_index" on "users" ("role", "city");
CREATE INDEX "users_status_index" on "users" ("status");
CREATE INDEX "users_status_city_index" on "users" ("status", "city");
CREATE INDEX "users_city_index" on "users" ("city");
CREATE INDEX "posts_author_id_index" on "posts" ("author_id");
CREATE INDEX "orders_user_id_index" on "orders" ("user_id");
CREATE INDEX "comments_order_id_index" on "comments" ("order_id");
CREATE INDEX "comments_user_id_index" on "comments" ("user_id");
CREATE INDEX "comments_order_user_id_index" on "comments" ("order_user_id");
CREATE TRIGGER "users_count_insert" after insert on "users" begin
          update counters set value = value + 1 where table_name = 'users';
        end;
CREATE TRIGGER "users_count_delete" after delete on "users" begin
          update counters set value = value + -1 where table_name = 'users';
        end;
CREATE TRIGGER "orders_count_insert" after insert on "orders" begin
          update counters set value = value + 1 where table_name = 'orders';
        end;
CREATE TRIGGER "orders_count_delete" after delete on "orders" begin
          update counters set value = value + -1 where table_name = 'orders';
        end;
CREATE TRIGGER "products_count_insert" after insert on "products" begin
          update counters set value = value + 1 where table_name = 'products';
        end;
CREATE TRIGGER "products_count_delete" after delete on "products" begin
          update counters set value = value + -1 where table_name = 'products';
        end;
CREATE TRIGGER "comments_count_insert" after insert on "comments" begin
          update counters set value = value + 1 where table_name = 'comments';
        end;
CREATE TRIGGER "comments_count_delete" after delete on "comments" begin
          update counters set value = value + -1 where table_name = 'comments';
        end;
COMMIT;
