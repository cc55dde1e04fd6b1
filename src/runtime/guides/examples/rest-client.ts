// rest-client.ts
import createClient from 'openapi-fetch';
import type { paths } from '@concordat/core/contract';

const api = createClient<paths>({ baseUrl: 'http://localhost:3000' });
const { data: user, error } = await api.GET('/api/users/{id}', { params: { path: { id: '1' } } });
if (error) throw new Error(error.error);
console.log(user.name, user.links?.orders);

// The answer of a list depends on the query, so that its type is a union: ask for the property before it is read.
const { data: users } = await api.GET('/api/users', { params: { query: { page: 1 } } });
if (users && 'pagination' in users) console.log(users.data.length > 0, users.pagination.hasNext);
