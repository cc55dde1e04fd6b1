/** Five operations that are moved from openapi-backend and from express-openapi-validator, in two steps. */

import { expect } from 'chai';
import type { Express } from 'express';
import { fiveTests } from './five-tests.js';
import type { Store } from './five/store.js';
import { type Project, readProject } from './project.js';
import { type Started, listen } from './start-legacy-app.js';
import { someOf } from '../support/budget.js';

type Create<Parameters extends readonly unknown[]> = (
  ...parameters: Parameters
) => Express | Promise<Express>;

describe('adoption: five operations of other libraries', () => {
  let project: Project;
  before(async () => {
    project = await readProject({ '.': 'five' }, '--openapi openapi.yaml --lenient');
  });
  after(() => project.remove());

  async function creator<Parameters extends readonly unknown[]>(file: string): Promise<Create<Parameters>> {
    const { createApp } = (await project.import(file)) as { readonly createApp: Create<Parameters> };
    return createApp;
  }

  async function store(): Promise<Store> {
    const { createStore } = (await project.import('store.ts')) as { readonly createStore: () => Store };
    return createStore();
  }

  async function startOld(library: string): Promise<Started> {
    const createApp = await creator<[Store]>(`${library}.ts`);
    return listen(await createApp(await store()));
  }

  async function startPart(library: string): Promise<Started> {
    const [createPart, createOld] = [
      await creator<[Store, Express]>('part.ts'),
      await creator<[Store]>(`${library}.ts`),
    ];
    const shared = await store();
    return listen(await createPart(shared, await createOld(shared)));
  }

  for (const library of someOf(['openapi-backend', 'express-openapi-validator'], 2)) {
    describe(`on ${library}`, () => {
      fiveTests(() => startOld(library));
    });
    describe(`in part on the engine, in front of ${library}`, () => {
      fiveTests(() => startPart(library));
    });
  }
  describe('on the engine', () => {
    fiveTests(async () => {
      const createApp = await creator<[Store]>('moved.ts');
      return listen(await createApp(await store()));
    });
  });

  it('compile without a cast', async () => {
    expect(await project.problems('engine.ts', 'part.ts', 'moved.ts')).to.deep.equal([]);
  });
});
