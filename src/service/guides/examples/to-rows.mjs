// to-rows.mjs
import { createInterface } from 'node:readline';

for await (const line of createInterface(process.stdin)) {
  const { name, mail, since } = JSON.parse(line);
  if (typeof name !== 'string' || !/^[^@\s]+@[^@\s]+$/.test(mail))
    throw new Error(`No name or no mail: ${line}`);
  const createdAt = new Date(since).toISOString().replace('Z', '000Z');
  const row = { name, email: mail, role: 'user', status: 'active', createdAt, updatedAt: createdAt };
  console.log(JSON.stringify({ table: 'users', row }));
}
