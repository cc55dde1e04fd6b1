CREATE FUNCTION public.count_rows() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$
    declare
      change bigint;
    begin
      if tg_op = 'TRUNCATE' then
        delete from counters where table_name = tg_table_name;
        return null;
      elsif tg_op = 'INSERT' then
        select count(*) into change from added;
      else
        select -count(*) into change from removed;
      end if;
      if change <> 0 then
        insert into counters as counter (table_name, shard, value)
        values (tg_table_name, pg_backend_pid() % 16, change)
        on conflict (table_name, shard) do update set value = counter.value + excluded.value;
      end if;
      return null;
    end $$;
CREATE TABLE public.categories (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE public.categories ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.categories_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.comments (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    user_id bigint NOT NULL,
    order_user_id bigint NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE public.comments ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.comments_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.concordat_migrations (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.concordat_migrations_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.counters (
    table_name text NOT NULL COLLATE pg_catalog."C",
    shard bigint NOT NULL,
    value bigint NOT NULL
);
CREATE TABLE public.order_items (
    order_id bigint NOT NULL,
    id bigint NOT NULL,
    product_id bigint,
    name text NOT NULL,
    quantity bigint NOT NULL,
    unit_price_cents bigint NOT NULL
);
CREATE TABLE public.orders (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    status text NOT NULL,
    total_cents bigint NOT NULL,
    last_item_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version bigint DEFAULT 1 NOT NULL
);
ALTER TABLE public.orders ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.post_clock (
    last_id bigint NOT NULL,
    last_created_at timestamp with time zone
);
CREATE TABLE public.posts (
    id bigint NOT NULL,
    title text NOT NULL,
    content text NOT NULL,
    author_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.product_categories (
    product_id bigint NOT NULL,
    category_id bigint NOT NULL
);
CREATE TABLE public.products (
    id bigint NOT NULL,
    name text NOT NULL,
    description text,
    price_cents bigint NOT NULL,
    version bigint DEFAULT 1 NOT NULL
);
ALTER TABLE public.products ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.products_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.users (
    id bigint NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL COLLATE pg_catalog."C",
    phone text,
    city text COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    password_hash text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version bigint DEFAULT 1 NOT NULL
);
ALTER TABLE public.users ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.users_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO public.categories OVERRIDING SYSTEM VALUE VALUES (1, 'Garden');
INSERT INTO public.comments OVERRIDING SYSTEM VALUE VALUES (1, 1, 2, 2, 'Soon, please.', '2026-01-05 00:00:00+00');
INSERT INTO public.concordat_migrations VALUES ('0001_initial', '2026-11-22T03:42:03.359Z');
INSERT INTO public.concordat_migrations_lock VALUES ('migration_lock', 0);
INSERT INTO public.counters VALUES ('users', 10, 2);
INSERT INTO public.counters VALUES ('products', 10, 2);
INSERT INTO public.counters VALUES ('orders', 10, 1);
INSERT INTO public.counters VALUES ('comments', 10, 1);
INSERT INTO public.order_items VALUES (1, 1, 1, 'Twine', 2, 250);
INSERT INTO public.order_items VALUES (1, 2, NULL, 'Work', 3, 10);
INSERT INTO public.orders OVERRIDING SYSTEM VALUE VALUES (1, 2, 'pending', 530, 2, '2026-01-04 00:00:00+00', '2026-01-04 00:00:00+00', 1);
INSERT INTO public.post_clock VALUES (2, '2026-01-06 00:00:00.000001+00');
INSERT INTO public.posts VALUES (1, 'First', 'The first post.', 1, '2026-01-06 00:00:00+00');
INSERT INTO public.posts VALUES (2, 'Second', 'The second post.', 2, '2026-01-06 00:00:00.000001+00');
INSERT INTO public.product_categories VALUES (1, 1);
INSERT INTO public.products OVERRIDING SYSTEM VALUE VALUES (1, 'Twine', 'Strong.', 250, 1);
INSERT INTO public.products OVERRIDING SYSTEM VALUE VALUES (2, 'Shears', NULL, 2450, 1);
INSERT INTO public.users OVERRIDING SYSTEM VALUE VALUES (1, 'Ada Lovelace', 'Ada@Example.com', 'ada@example.com', '+1 555 0100', 'London', 'admin', 'active', '$argon2id$v=19$m=19456,t=2,p=1$u3JF7JAEhHefFJEUSdj8xg$ftXEMiFTWh/XQc9dLKbOofNpVavvhUQWK3XKqYxnqN0', '2026-01-01 00:00:00.000001+00', '2026-01-01 00:00:00.000001+00', 1);
INSERT INTO public.users OVERRIDING SYSTEM VALUE VALUES (2, 'Grace Hopper', 'grace@example.com', 'grace@example.com', NULL, NULL, 'user', 'active', NULL, '2026-01-02 00:00:00+00', '2026-01-03 00:00:00+00', 3);
SELECT pg_catalog.setval('public.categories_id_seq', 1, true);
SELECT pg_catalog.setval('public.comments_id_seq', 1, true);
SELECT pg_catalog.setval('public.orders_id_seq', 1, true);
SELECT pg_catalog.setval('public.products_id_seq', 2, true);
SELECT pg_catalog.setval('public.users_id_seq', 2, true);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_name_key UNIQUE (name);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.comments
    ADD CONSTRAINT comments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.concordat_migrations_lock
    ADD CONSTRAINT concordat_migrations_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.concordat_migrations
    ADD CONSTRAINT concordat_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_key PRIMARY KEY (table_name, shard);
ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_items_key PRIMARY KEY (order_id, id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_created_at_key UNIQUE (created_at);
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.product_categories
    ADD CONSTRAINT product_categories_key PRIMARY KEY (product_id, category_id);
ALTER TABLE ONLY public.products
    ADD CONSTRAINT products_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email_key);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX comments_order_id_index ON public.comments USING btree (order_id, id);
CREATE INDEX comments_order_user_id_index ON public.comments USING btree (order_user_id, id);
CREATE INDEX comments_user_id_index ON public.comments USING btree (user_id, id);
CREATE INDEX orders_user_id_index ON public.orders USING btree (user_id, id);
CREATE INDEX posts_author_id_index ON public.posts USING btree (author_id, id);
CREATE INDEX users_city_index ON public.users USING btree (city, id);
CREATE INDEX users_role_city_index ON public.users USING btree (role, city, id);
CREATE INDEX users_role_index ON public.users USING btree (role, id);
CREATE INDEX users_role_status_city_index ON public.users USING btree (role, status, city, id);
CREATE INDEX users_role_status_index ON public.users USING btree (role, status, id);
CREATE INDEX users_status_city_index ON public.users USING btree (status, city, id);
CREATE INDEX users_status_index ON public.users USING btree (status, id);
CREATE TRIGGER comments_count_delete AFTER DELETE ON public.comments REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER comments_count_insert AFTER INSERT ON public.comments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER comments_count_truncate AFTER TRUNCATE ON public.comments FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER orders_count_delete AFTER DELETE ON public.orders REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER orders_count_insert AFTER INSERT ON public.orders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER orders_count_truncate AFTER TRUNCATE ON public.orders FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER products_count_delete AFTER DELETE ON public.products REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER products_count_insert AFTER INSERT ON public.products REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER products_count_truncate AFTER TRUNCATE ON public.products FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER users_count_delete AFTER DELETE ON public.users REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER users_count_insert AFTER INSERT ON public.users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
CREATE TRIGGER users_count_truncate AFTER TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION public.count_rows();
ALTER TABLE ONLY public.comments
    ADD CONSTRAINT comments_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.comments
    ADD CONSTRAINT comments_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_items_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_author_id_fkey FOREIGN KEY (author_id) REFERENCES public.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.product_categories
    ADD CONSTRAINT product_categories_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id);
ALTER TABLE ONLY public.product_categories
    ADD CONSTRAINT product_categories_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id) ON DELETE CASCADE;
