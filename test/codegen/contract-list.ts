/** The contracts that the generator is tried on: ours under `test/fixtures`, and other people's where they lie beside the project. */

import { fileURLToPath } from 'node:url';
import { absenceOf, contractsFolder } from '../support/outside-files.js';

/** One contract and what its tests need to know of it. */
export interface ListedContract {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  /** The unsupported features that its team would have to accept. */
  readonly accept: readonly string[];
}

const fixtures = fileURLToPath(new URL('../fixtures/contracts/', import.meta.url));

const absence = absenceOf(contractsFolder);

/** Whether other people's contracts lie beside the repository. */
export const hasSharedFolder = absence === undefined;

export const fixtureContracts: readonly ListedContract[] = [
  'awkward.openapi-3.1.yaml',
  'bodies.openapi-3.1.yaml',
  'certificates.openapi-3.1.yaml',
  'empty.openapi-3.0.json',
  'latest.openapi-3.2.yaml',
  'library/openapi.yaml',
  'names.openapi-3.0.json',
  'outgoing.openapi-3.1.yaml',
  'responses.openapi-3.0.yaml',
  'routing.openapi-3.0.yaml',
  'schemas.openapi-3.0.yaml',
  'schemas.openapi-3.1.json',
  'security.openapi-3.1.yaml',
  'streams.openapi-3.2.yaml',
  'styles.openapi-3.1.yaml',
  'uploads.openapi-3.0.yaml',
  'webhooks.openapi-3.1.yaml',
].map((name) => ({ name, file: fixtures + name, accept: acceptedOf(name) }));

/** A few fixtures are there for their unsupported features. */
function acceptedOf(name: string): readonly string[] {
  if (name.startsWith('awkward.')) return ['invalid-default'];
  return name.startsWith('certificates.') ? ['mutual-tls'] : [];
}

/** Documents as frameworks write them, each after the habits of the one that it is named after. */
export const frameworkContracts: readonly ListedContract[] = [
  'aspnet-minimal',
  'drf-spectacular',
  'fastapi',
  'fastify-swagger',
  'hono',
  'huma',
  'l5-swagger',
  'nestjs',
  'rswag',
  'scribe',
  'spring-data-rest',
  'springdoc',
  'swashbuckle',
  'tsoa',
  'typespec',
].map((name) => ({
  name,
  file: `${fixtures}frameworks/${name}.yaml`,
  // The annotations of its guide give the password flow an authorizationUrl.
  accept: name === 'l5-swagger' ? ['unexpected-field'] : [],
}));

/** The contracts of others, each with the unsupported features that are accepted for it and why. */
export const sharedContracts: readonly ListedContract[] = [
  { name: 'petstore-expanded.openapi-3.0.yaml', accept: [] },
  { name: 'museum.yaml', accept: [] },
  {
    name: 'train-travel/openapi.yaml',
    accept: [
      // Its one request body in XML, beside the same in JSON.
      'undecoded-body at #/paths/~1bookings/post/requestBody/content/application~1xml',
      // The names of list elements and the namespace of problems, which an XML encoder of the service would have to know.
      'xml-form',
      // A format of its own invention.
      'unknown-format',
    ],
  },
  {
    name: 'github-rest.openapi-3.0.json',
    accept: [
      // Uploads are any bytes.
      'undecoded-body at #/paths/~1repos~1{owner}~1{repo}~1releases~1{release_id}~1assets/post/requestBody/content/*~1*',
      // A format of its own invention.
      'unknown-format at #/components/headers/x-rate-limit-reset/schema/format',
      // A default inside a oneOf.
      'default-in-composition',
    ],
  },
].map((contract) => ({ ...contract, file: contractsFolder + contract.name }));

/** Every contract that is there. */
export const contracts: readonly ListedContract[] = [
  ...fixtureContracts,
  ...(hasSharedFolder ? sharedContracts : []),
];

/** Large contracts whose answers are mocked, and from which no code is generated. */
export const mockedContracts: readonly Omit<ListedContract, 'accept'>[] = hasSharedFolder
  ? [{ name: 'discord.json', file: `${contractsFolder}discord.json` }]
  : [];

/** Whether tests try every contract, even those that take minutes. */
export const triesAll = process.env['EVERY_CONTRACT'] !== undefined;

/** Says in a suite which contracts it does not try. @param slow - those that are only tried where all are */
export function printSkipped(slow?: string): void {
  if (absence !== undefined) it.skip(`contracts of other people (${absence})`);
  if (slow !== undefined && !triesAll) {
    it.skip(`${slow} (skipped: EVERY_CONTRACT is not set)`);
  }
}

/** GraphQL schemas, by name and absolute path: the service's own, and others'. */
export const schemas: readonly { readonly name: string; readonly file: string }[] = [
  { name: 'schema.graphql', file: fileURLToPath(new URL('../../schema.graphql', import.meta.url)) },
  ...(hasSharedFolder ? [{ name: 'swapi.graphql', file: `${contractsFolder}swapi.graphql` }] : []),
];

/** One fixture by name. */
export function fixture(name: string): ListedContract {
  const found = fixtureContracts.find((contract) => contract.name === name);
  if (found === undefined) throw new Error(`there is no fixture ${name}`);
  return found;
}
