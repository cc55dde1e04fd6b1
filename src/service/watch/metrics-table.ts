/** The metrics of the service, one row each; the guide has them as a table. Those of the process are prom-client's. */

/** From the time of a point read to longer than any client waits, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** From a read of SQLite to the deadline of a statement; fewer, because there are many calls. */
const DATABASE_BUCKETS = [0.0001, 0.0005, 0.002, 0.01, 0.05, 0.2, 1, 5, 20];

export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** As Prometheus has it: with its unit, and with `_total` for a counter. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
}

function counter(name: `${string}_total`, help: string, ...labels: readonly string[]) {
  return { kind: 'counter', name, help, labels } as const;
}

function gauge(name: string, help: string, ...labels: readonly string[]) {
  return { kind: 'gauge', name, help, labels } as const;
}

function histogram(
  name: `${string}_seconds`,
  help: string,
  buckets: readonly number[],
  ...labels: readonly string[]
) {
  return { kind: 'histogram', name, help, labels, buckets } as const;
}

export const metricsTable = {
  requests: histogram(
    'http_request_duration_seconds',
    'Time from the arrival of a request to the end of its answer',
    BUCKETS,
    'operation',
    'status',
  ),
  inFlight: gauge('http_requests_in_flight', 'Requests that are not answered yet'),
  graphql: histogram(
    'graphql_operation_duration_seconds',
    'Duration of a GraphQL operation, over any transport',
    BUCKETS,
    'operation',
    'type',
    'outcome',
  ),
  graphqlRefusals: counter(
    'graphql_refused_operations_total',
    'GraphQL operations that were refused before they ran, by the code of their error',
    'code',
  ),
  documentLookups: counter(
    'graphql_document_lookups_total',
    'Lookups in the cache of compiled GraphQL documents; a miss is parsed, validated and compiled',
    'outcome',
  ),
  documents: gauge('graphql_cached_documents', 'Documents in the cache of compiled GraphQL documents'),
  documentBytes: gauge('graphql_cached_documents_bytes', 'Estimated memory of the cached GraphQL documents'),
  streams: gauge(
    'graphql_streams',
    'Open event streams (`sse`) and WebSockets (`websocket`) of GraphQL',
    'transport',
  ),
  databaseCalls: histogram(
    'database_call_duration_seconds',
    'Time of a call of a store, with its wait for a connection',
    DATABASE_BUCKETS,
    'call',
    'outcome',
  ),
  poolWaits: histogram(
    'database_pool_wait_seconds',
    'Wait for a connection of the PostgreSQL pool',
    DATABASE_BUCKETS,
    'outcome',
  ),
  poolConnections: gauge(
    'database_pool_connections',
    'Connections of the PostgreSQL pool: `busy`, `idle`, and their `max`',
    'state',
  ),
  poolWaiting: gauge('database_pool_waiting', 'Calls that wait for a connection of the PostgreSQL pool'),
  slowStatements: counter(
    'database_slow_statements_total',
    'Statements that took at least SLOW_STATEMENT_MS',
  ),
  eventsPublished: counter(
    'events_published_total',
    'Events that this process published; `failed` means that the broker did not accept it',
    'topic',
    'outcome',
  ),
  eventsReceived: counter('events_received_total', 'Events that this process received', 'topic'),
  eventLag: histogram(
    'event_delivery_lag_seconds',
    'Time from the creation of a post, in any process, to its delivery to the subscribers of this process',
    BUCKETS,
  ),
  brokerConnections: counter(
    'event_broker_connections_total',
    'Connections to the event broker that were `lost` and `restored`',
    'outcome',
  ),
  dependencies: gauge(
    'service_dependency_up',
    'Whether the `database` and the `event broker` answered when they were last asked, every 2.5 seconds',
    'dependency',
  ),
  unhandledRejections: counter(
    'service_unhandled_rejections_total',
    'Promises of this process that were rejected and that nothing handled: defects, whose causes are in the log',
  ),
  subscribers: gauge('post_subscribers', 'Subscribers of new posts in this process'),
  queuedPosts: gauge('post_subscriber_queued_posts', 'Posts that wait in the queues of all subscribers'),
  longestQueue: gauge(
    'post_subscriber_longest_queue_posts',
    'Posts that wait in the longest queue of a subscriber',
  ),
  limiterRefusals: counter(
    'limiter_refusals_total',
    'Requests, sign-ins and sign-ups (`request`, `sign-in`, `sign-up`) that a limit refused',
    'kind',
  ),
  tokenLookups: counter(
    'access_token_lookups_total',
    'Lookups in the cache of verified access tokens; a miss is verified',
    'outcome',
  ),
  tokens: gauge('access_tokens_cached', 'Access tokens in the cache of verified tokens'),
  expired: counter(
    'expired_records_deleted_total',
    'Records that had expired and were deleted by this process',
    'kind',
  ),
  deliveries: counter(
    'outbox_deliveries_total',
    'Attempts to deliver an event that this process made, `delivered` or `failed`, and the webhooks that it `disabled`',
    'outcome',
  ),
  pendingDeliveries: gauge(
    'outbox_pending_deliveries',
    'Deliveries that wait in the database: one number, which each process reports, so use max and not sum',
  ),
  oldestDelivery: gauge(
    'outbox_oldest_pending_delivery_seconds',
    'Age of the oldest event that waits for its delivery, of all processes together; 0 if none does',
  ),
  cleanups: histogram(
    'cleanup_duration_seconds',
    'Time of a run that deletes expired records, once a minute',
    BUCKETS,
    'outcome',
  ),
} satisfies Readonly<Record<string, MetricRow>>;
