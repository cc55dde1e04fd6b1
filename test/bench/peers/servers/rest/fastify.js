/** Fastify with schemas for requests and responses. */

import Fastify from 'fastify';
import { strictAjv, userRoutes } from '../fastify-users.js';

const app = Fastify({ ajv: strictAjv });
userRoutes(app);
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
