/** Events adapters that break a rule. */
import { setImmediate as tick } from 'node:timers/promises';
import { memoryEvents } from '../../../../src/core/events/memory.js';
import { ServiceError } from '../../../../src/core/model/error.js';
import type { EventListener, Events } from '../../../../src/core/ports/events.js';
import { faults, methodFaults } from './fault.js';

export const soundEvents = (): Events => memoryEvents();

/** Keeps the listeners in the fault itself, which are told in its way. */
const telling =
  (tell: (listeners: EventListener[], id: string) => void) =>
  (events: Events): void => {
    const listeners: EventListener[] = [];
    const publish = events.publish.bind(events);
    events.publish = async (topic, id) => {
      await publish(topic, id);
      tell(listeners, id);
    };
    events.subscribe = (_topic, listener) => {
      listeners.push(listener);
      return Promise.resolve(() => {
        const index = listeners.indexOf(listener);
        if (index >= 0) listeners.splice(index, 1);
      });
    };
  };

export const eventsFaults = [
  ...methodFaults((events: Events) => events, {
    ping: {
      'ping asks a broker that is not there: events-ping': () => () =>
        Promise.reject(new ServiceError('unavailable', 'down')),
      'ping answers after close: events-closed': () => () => Promise.resolve(),
    },
    close: {
      'closing twice is an error: events-close-twice': (close) => {
        let isClosed = false;
        return () => {
          if (isClosed) return Promise.reject(new Error('closed'));
          isClosed = true;
          return close();
        };
      },
      'close tells the listeners once more: events-close-silences': (close, events) => {
        const listeners: EventListener[] = [];
        const subscribe = events.subscribe.bind(events);
        events.subscribe = (topic, listener) => {
          listeners.push(listener);
          return subscribe(topic, listener);
        };
        return () => {
          for (const listener of listeners) listener.received('closed');
          return close();
        };
      },
    },
    publish: {
      'an event needs a listener: events-nobody': (publish, events) => {
        let count = 0;
        const subscribe = events.subscribe.bind(events);
        events.subscribe = (topic, listener) => {
          count += 1;
          return subscribe(topic, listener);
        };
        return (topic, id) => (count > 0 ? publish(topic, id) : Promise.reject(new Error('no route')));
      },
      'the last event is told again to a new listener: events-from-now-on': (publish, events) => {
        let last: string | undefined;
        const subscribe = events.subscribe.bind(events);
        events.subscribe = (topic, listener) => {
          if (last !== undefined) listener.received(last);
          return subscribe(topic, listener);
        };
        return (topic, id) => publish(topic, (last = id));
      },
      'events overtake each other: events-order': (publish) => async (topic, id) => {
        if (Number(id) % 7 === 0) await tick();
        await publish(topic, id);
      },
      'an id is told once: events-repeated': (publish) => {
        const told = new Set<string>();
        return (topic, id) => {
          if (told.has(id)) return Promise.resolve();
          told.add(id);
          return publish(topic, id);
        };
      },
    },
    subscribe: {
      'nobody can leave: events-unsubscribe': (subscribe) => async (topic, listener) => {
        await subscribe(topic, listener);
        return () => undefined;
      },
      'a listener is subscribed once however often it asks: events-same-listener': (subscribe) => {
        const known = new Set<EventListener>();
        return async (topic, listener) => {
          if (!known.has(listener)) await subscribe(topic, listener);
          known.add(listener);
          // It never ends, or the check would wait for the second event.
          return () => undefined;
        };
      },
    },
  }),

  ...faults<Events>({
    'one listener of many is told: events-fan-out': telling((listeners, id) => {
      // But for the last event, or the check would wait for it.
      const told = id === '3' ? listeners : [listeners[Number(id) % listeners.length]];
      for (const listener of told) listener?.received(id);
    }),
    'who leaves while told takes the place of the next: events-leave-while-told': telling((listeners, id) => {
      for (let index = 0; index < listeners.length; index += 1) listeners[index]?.received(id);
    }),
  }),
];
