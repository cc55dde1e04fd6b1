/** The shipped alerts, each on series that make it fire and on series that just do not: promtool evaluates the rules as Prometheus does. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { DEPLOY, deployFile } from '../support/deploy-file.js';
import { itWithPromtool, promtool } from '../support/promtool.js';

/** The values of a series over the time, one per minute, in the notation of promtool. */
type Values = string;

/** The series of a case, by their names and labels. */
type Series = Readonly<Record<string, Values>>;

interface Case {
  /** Series on which the alert fires after {@link MINUTES}, and no other does. For an outage, they are those of a night without requests. */
  readonly fires: Series;
  /** Series of the same with much traffic, with the other alerts that fire too. */
  readonly busy?: readonly [series: Series, others: readonly string[]];
  /** Series like these, just below the threshold. */
  readonly silent: Series;
}

/** The minutes that are evaluated. */
const MINUTES = 20;

const flat = (value: number): Values => `${String(value)}x${String(MINUTES)}`;
const rising = (perMinute: number): Values => `0+${String(perMinute)}x${String(MINUTES)}`;

/** The first value for five minutes, then the second. */
const change = (from: number, to: number): Values => `${String(from)}x4 ${String(to)}x${String(MINUTES - 5)}`;

/** A value that comes and goes. */
const everySecond = (value: number): Values =>
  Array.from({ length: MINUTES + 1 }, (_, minute) => (minute % 2) * value).join(' ');

/** A histogram of 1000 observations a minute, of which this number exceeds one of its limits, and none the next limit. */
function histogram(name: string, labels: string, limit: number, next: number, above: number): Series {
  const bucket = (le: number | '+Inf') => `${name}_bucket{${labels}${labels && ', '}le="${String(le)}"}`;
  return {
    [bucket(limit)]: rising(1000 - above),
    [bucket(next)]: rising(1000),
    [bucket('+Inf')]: rising(1000),
  };
}

const requests = 'http_request_duration_seconds';
const broker = 'event_broker_connections_total';
const database = 'service_dependency_up{dependency="database"}';
const deliveries = (outcome: 'delivered' | 'failed' | 'disabled') =>
  `outbox_deliveries_total{outcome="${outcome}"}`;

const cases: Readonly<Record<string, Case>> = {
  ConcordatDown: {
    fires: { up: change(1, 0) },
    silent: { up: '1x10 0 1x9' },
  },
  ConcordatAbsent: {
    fires: { up: `1x4 stale _x${String(MINUTES - 6)}` },
    silent: { up: flat(1) },
  },
  ConcordatDatabaseDown: {
    fires: { [database]: change(1, 0), [`${requests}_count{operation="readyz", status="503"}`]: rising(6) },
    busy: [
      {
        [database]: change(1, 0),
        [`${requests}_count{operation="getUser", status="503"}`]: rising(6000),
        'database_call_duration_seconds_count{call="users.find", outcome="failed"}': rising(6000),
      },
      ['ConcordatErrors', 'ConcordatDatabaseFails'],
    ],
    silent: { [database]: `1x8 0 ${flat(1)}`, 'service_dependency_up{dependency="event broker"}': flat(0) },
  },
  ConcordatErrors: {
    fires: {
      [`${requests}_count{operation="getUser", status="200"}`]: rising(989),
      [`${requests}_count{operation="getUser", status="503"}`]: rising(11),
      [`${requests}_count{operation="healthz", status="200"}`]: rising(500),
    },
    silent: {
      [`${requests}_count{operation="getUser", status="200"}`]: rising(891),
      [`${requests}_count{operation="getUser", status="503"}`]: rising(9),
      [`${requests}_count{operation="readyz", status="503"}`]: rising(100),
    },
  },
  ConcordatSlow: {
    fires: histogram(requests, 'operation="getUser"', 1, 2.5, 11),
    silent: {
      ...histogram(requests, 'operation="getUser"', 1, 2.5, 9),
      ...histogram(requests, 'operation="graphql"', 1, 2.5, 500),
    },
  },
  ConcordatGraphqlSlow: {
    fires: histogram('graphql_operation_duration_seconds', 'operation="Shop"', 2.5, 5, 11),
    silent: histogram('graphql_operation_duration_seconds', 'operation="Shop"', 1, 2.5, 11),
  },
  ConcordatPoolExhausted: {
    fires: { database_pool_waiting: change(0, 1) },
    silent: { database_pool_waiting: everySecond(9) },
  },
  ConcordatDatabaseFails: {
    fires: { 'database_call_duration_seconds_count{call="users.find", outcome="failed"}': rising(7) },
    silent: {
      'database_call_duration_seconds_count{call="users.find", outcome="failed"}': rising(5),
      'database_call_duration_seconds_count{call="users.find", outcome="ok"}': rising(5000),
    },
  },
  ConcordatSlowStatements: {
    fires: { database_slow_statements_total: rising(7) },
    silent: { database_slow_statements_total: rising(5) },
  },
  ConcordatEventsLost: {
    fires: { [`${broker}{outcome="lost"}`]: change(1, 2), [`${broker}{outcome="restored"}`]: flat(1) },
    silent: { [`${broker}{outcome="lost"}`]: flat(2), [`${broker}{outcome="restored"}`]: change(1, 2) },
  },
  ConcordatEventsNotPublished: {
    fires: { 'events_published_total{topic="POST_ADDED", outcome="failed"}': '0x17 1x2' },
    silent: {
      'events_published_total{topic="POST_ADDED", outcome="failed"}': '0x5 1x14',
      'events_published_total{topic="POST_ADDED", outcome="ok"}': rising(600),
    },
  },
  ConcordatEventsLate: {
    fires: histogram('event_delivery_lag_seconds', '', 2.5, 5, 11),
    silent: histogram('event_delivery_lag_seconds', '', 2.5, 5, 9),
  },
  ConcordatDeliveriesFail: {
    fires: { [deliveries('delivered')]: flat(7000), [deliveries('failed')]: '0x12 1x8' },
    busy: [{ [deliveries('delivered')]: rising(590), [deliveries('failed')]: rising(610) }, []],
    silent: { [deliveries('delivered')]: rising(600), [deliveries('failed')]: rising(590) },
  },
  ConcordatDeliveriesOld: {
    fires: { outbox_oldest_pending_delivery_seconds: change(0, 901), [deliveries('failed')]: flat(0) },
    busy: [
      {
        outbox_oldest_pending_delivery_seconds: rising(100),
        outbox_pending_deliveries: rising(5000),
        [deliveries('delivered')]: rising(600),
      },
      [],
    ],
    silent: { outbox_oldest_pending_delivery_seconds: flat(900), outbox_pending_deliveries: flat(90_000) },
  },
  ConcordatWebhookDisabled: {
    fires: { [deliveries('disabled')]: change(0, 1), [deliveries('delivered')]: flat(0) },
    busy: [{ [deliveries('disabled')]: change(0, 1), [deliveries('delivered')]: rising(6000) }, []],
    silent: { [deliveries('disabled')]: flat(3), [deliveries('failed')]: flat(9) },
  },
  ConcordatSubscribersBehind: {
    fires: { post_subscriber_longest_queue_posts: flat(501) },
    silent: { post_subscriber_longest_queue_posts: flat(500) },
  },
  ConcordatSignInsRefused: {
    fires: { 'limiter_refusals_total{kind="sign-in"}': rising(61) },
    silent: {
      'limiter_refusals_total{kind="sign-in"}': rising(59),
      'limiter_refusals_total{kind="request"}': rising(600),
    },
  },
  ConcordatCleanupFails: {
    fires: { 'cleanup_duration_seconds_count{outcome="failed"}': rising(1) },
    silent: {
      'cleanup_duration_seconds_count{outcome="failed"}': '0x12 1 2 3 4 4 4 4 4',
      'cleanup_duration_seconds_count{outcome="ok"}': rising(1),
    },
  },
  ConcordatEventLoopBlocked: {
    fires: { nodejs_eventloop_lag_p99_seconds: flat(0.6) },
    silent: { nodejs_eventloop_lag_p99_seconds: flat(0.4) },
  },
  ConcordatUnhandledRejections: {
    fires: { service_unhandled_rejections_total: '0x14 1x5' },
    silent: { service_unhandled_rejections_total: flat(3) },
  },
  ConcordatRestarts: {
    fires: { process_start_time_seconds: '1x9 2 3 4 5 5 5 5 5 5 5 5' },
    silent: { process_start_time_seconds: '1x9 2 3 4 4 4 4 4 4 4 4 4' },
  },
  ConcordatFilesExhausted: {
    fires: { process_open_fds: flat(81), process_max_fds: flat(100) },
    silent: { process_open_fds: flat(79), process_max_fds: flat(100) },
  },
};

/** Adds the labels of Prometheus to those of a series. */
function scraped(series: string): string {
  const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
  return `${name}{job="concordat", instance="one:3000"${labels && ', '}${labels}}`;
}

/** @param firing - the alerts that fire then; no others do */
function ruleTest(name: string, series: Series, ...firing: readonly string[]) {
  return {
    name,
    interval: '1m',
    input_series: Object.entries({ up: flat(1), ...series }).map(([each, values]) => ({
      series: scraped(each),
      values,
    })),
    // promtool compares the annotations too, whose texts are not repeated here: it asks for the state of the alerts instead.
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${String(MINUTES)}m`,
        exp_samples: firing.map((each) => ({ labels: `{alertname="${each}"}`, value: 1 })),
      },
    ],
  };
}

describe('each shipped alert', () => {
  let directory: string;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'concordat-alert-rules-'))));
  after(() => rmSync(directory, { recursive: true }));

  it('has an example', () => {
    const { groups } = parse(deployFile('prometheus-alerts.yaml')) as {
      readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
    };
    const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    expect(Object.keys(cases)).to.have.members(names);
  });

  itWithPromtool('fires alone when it should, and not just below that', () => {
    const tests = Object.entries(cases).flatMap(([alert, { fires, busy, silent }]) => [
      ruleTest(`${alert} fires`, fires, alert),
      ...(busy ? [ruleTest(`${alert} fires with much traffic`, busy[0], alert, ...busy[1])] : []),
      ruleTest(`${alert} is silent`, silent),
    ]);
    const file = join(directory, 'alerts.test.yaml');
    const rules = { rule_files: [`${DEPLOY}prometheus-alerts.yaml`], evaluation_interval: '1m', tests };
    writeFileSync(file, JSON.stringify(rules));
    expect(promtool(['test', 'rules', file])).to.include('SUCCESS');
  });
});
