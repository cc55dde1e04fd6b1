create table loans (book text primary key, order_id text not null);
