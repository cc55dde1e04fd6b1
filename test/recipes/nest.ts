/** A contract and GraphQL in a NestJS application, with Nest's default body parsers. */
import 'reflect-metadata';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { HttpHandler } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';

class HelloController {
  hello(): string {
    return 'Hello from Nest';
  }
}
Controller()(HelloController);
Get('/hello')(HelloController.prototype, 'hello', { value: HelloController.prototype.hello });

class AppModule {}
Module({ controllers: [HelloController] })(AppModule);

export async function nestApp(engine: HttpHandler, graphql: HttpHandler): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule, { logger: false });
  app.use(nodeTransport(engine), nodeTransport(graphql));
  return app;
}
