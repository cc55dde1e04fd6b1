/** GraphQL over HTTP: one schema with the same resolvers over the same store. */

import { type RateTask, type Server, type Task, peer, rateTask } from '../rate-task.js';
import type { Probe } from '../same-answers.js';

const NODE = 'engine on node';
const KOA = 'engine on Koa';
const PAST_KOA = 'engine on Koa, sendPastKoa';
const PLAIN = 'mercurius + jit, resolvers that only look into arrays';

const servers: Readonly<Record<string, Server>> = {
  [NODE]: peer('graphql/concordat.js', 'node'),
  [KOA]: peer('graphql/concordat.js'),
  [PAST_KOA]: peer('graphql/concordat.js', 'send'),
  'mercurius + jit': peer('graphql/mercurius.js'),
  [PLAIN]: peer('graphql/mercurius.js', 'plain'),
  'GraphQL Yoga': peer('graphql/yoga.js'),
  'Apollo Server': peer('graphql/apollo.js'),
};

/** @param most - of mercurius's CPU time, on node */
function plansOf(most: number, required: number, aim: number): RateTask['plans'] {
  return [
    { ours: NODE, peer: 'mercurius + jit', target: { required: most, aim: 0.5, ofCpu: true } },
    { ours: KOA, peer: 'mercurius + jit', target: { required, aim } },
    { ours: PAST_KOA, peer: 'mercurius + jit', target: { required, aim } },
    { ours: KOA, peer: 'GraphQL Yoga', target: { required: 1.5 } },
    { ours: KOA, peer: 'Apollo Server', target: { required: 1.5 } },
  ];
}

const asking = (body: object): Probe => ({
  path: '/graphql',
  method: 'POST',
  body: JSON.stringify(body),
  status: 200,
});
const failing = (body: object): Probe => ({ ...asking(body), hasErrors: true });

const nested = { query: '{ users { id name posts { id title author { id name } } } }' };
const small = {
  query: 'query User($id: ID!) { user(id: $id) { id name email } }',
  variables: { id: '7' },
};

function graphqlTask(work: string, plans: RateTask['plans'], body: object, refused: readonly object[]): Task {
  return rateTask({
    work,
    servers,
    plans,
    load: { paths: ['/graphql'], body: JSON.stringify(body) },
    probes: [asking(body), failing({ query: '{ users { nothing } }' }), ...refused.map(failing)],
    compareHeaders: false,
  });
}

export const graphqlTasks: readonly Task[] = [
  graphqlTask(
    'nested GraphQL',
    [
      ...plansOf(0.6, 1.3, 2),
      // These resolvers do less than ours.
      { ours: NODE, peer: PLAIN, target: { required: 0.9, aim: 0.75, ofCpu: true } },
    ],
    nested,
    [],
  ),
  graphqlTask('small GraphQL', plansOf(0.65, 1.2, 1.5), small, [
    { query: small.query },
    { query: small.query, variables: { id: {} } },
  ]),
];
