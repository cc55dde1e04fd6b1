// hey-client.ts
import { client } from './client/client.gen.js';
import { getUser, listUsers } from './client/sdk.gen.js';

client.setConfig({ baseUrl: 'http://localhost:3000' });
const { data: user, error } = await getUser({ path: { id: '1' } });
if (!user) throw new Error(JSON.stringify(error));
console.log(user.name, user.links?.orders);

const { data: users } = await listUsers({ query: { page: 1 } });
if (users && 'pagination' in users) console.log(users.data.length > 0, users.pagination.hasNext);
