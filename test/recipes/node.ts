/** A contract and GraphQL behind `node:http`, with nothing in between. */
import { type Server, createServer } from 'node:http';
import type { HttpHandler } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';

export function nodeServer(engine: HttpHandler, graphql: HttpHandler): Server {
  const [contract, queries] = [nodeTransport(engine), nodeTransport(graphql)];
  return createServer((request, response) => {
    queries(request, response, () => {
      contract(request, response);
    });
  });
}
