/** Events adapters that break a rule. */
import { ServiceError } from '../../../../src/core/model/error.js';
import { memoryEvents } from '../../../../src/core/events/memory.js';
import type { EventListener, Events } from '../../../../src/core/ports/events.js';
import type { PortFaults } from './fault.js';

function broken(breakIt: (sound: Events) => Partial<Events>): () => Events {
  return () => {
    const sound = memoryEvents();
    const bound: Events = {
      publish: (topic, id) => sound.publish(topic, id),
      subscribe: (topic, listener) => sound.subscribe(topic, listener),
      ping: () => sound.ping(),
      close: () => sound.close(),
    };
    return { ...bound, ...breakIt(bound) };
  };
}

/** Listeners that are kept by the fault itself, told in its way. */
function telling(tell: (listeners: EventListener[], id: string) => void): () => Events {
  return broken((sound) => {
    const listeners: EventListener[] = [];
    return {
      publish: async (topic, id) => {
        await sound.publish(topic, id);
        tell(listeners, id);
      },
      subscribe: (_topic, listener) => {
        listeners.push(listener);
        return Promise.resolve(() => {
          const index = listeners.indexOf(listener);
          if (index >= 0) listeners.splice(index, 1);
        });
      },
    };
  });
}

export const eventsFaults: PortFaults<Events> = {
  'ping asks a broker that is not there': [
    'events-ping',
    broken(() => ({ ping: () => Promise.reject(new ServiceError('unavailable', 'down')) })),
  ],
  'ping answers after close': ['events-closed', broken(() => ({ ping: () => Promise.resolve() }))],
  'closing twice is an error': [
    'events-close-twice',
    broken((sound) => {
      let isClosed = false;
      return {
        close: () => {
          if (isClosed) return Promise.reject(new Error('closed'));
          isClosed = true;
          return sound.close();
        },
      };
    }),
  ],
  'close tells the listeners once more': [
    'events-close-silences',
    broken((sound) => {
      const listeners: EventListener[] = [];
      return {
        subscribe: (topic, listener) => {
          listeners.push(listener);
          return sound.subscribe(topic, listener);
        },
        close: () => {
          for (const listener of listeners) listener.received('closed');
          return sound.close();
        },
      };
    }),
  ],
  'an event needs a listener': [
    'events-nobody',
    broken((sound) => {
      let count = 0;
      return {
        publish: (topic, id) =>
          count > 0 ? sound.publish(topic, id) : Promise.reject(new Error('no route')),
        subscribe: (topic, listener) => {
          count += 1;
          return sound.subscribe(topic, listener);
        },
      };
    }),
  ],
  'the last event is told again to a new listener': [
    'events-from-now-on',
    broken((sound) => {
      let last: string | undefined;
      return {
        publish: (topic, id) => sound.publish(topic, (last = id)),
        subscribe: (topic, listener) => {
          if (last !== undefined) listener.received(last);
          return sound.subscribe(topic, listener);
        },
      };
    }),
  ],
  'events overtake each other': [
    'events-order',
    broken((sound) => ({
      publish: async (topic, id) => {
        if (Number(id) % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
        await sound.publish(topic, id);
      },
    })),
  ],
  'an id is told once': [
    'events-repeated',
    broken((sound) => {
      const told = new Set<string>();
      return {
        publish: (topic, id) => {
          if (told.has(id)) return Promise.resolve();
          told.add(id);
          return sound.publish(topic, id);
        },
      };
    }),
  ],
  'one listener of many is told': [
    'events-fan-out',
    telling((listeners, id) => {
      // But for the last event, or the check would wait for it.
      const told = id === '3' ? listeners : [listeners[Number(id) % listeners.length]];
      for (const listener of told) listener?.received(id);
    }),
  ],
  'nobody can leave': [
    'events-unsubscribe',
    broken((sound) => ({
      subscribe: async (topic, listener) => {
        await sound.subscribe(topic, listener);
        return () => undefined;
      },
    })),
  ],
  'a listener is subscribed once however often it asks': [
    'events-same-listener',
    broken((sound) => {
      const known = new Set<EventListener>();
      return {
        subscribe: async (topic, listener) => {
          if (!known.has(listener)) await sound.subscribe(topic, listener);
          known.add(listener);
          // It never ends, or the check would wait for the second event.
          return () => undefined;
        },
      };
    }),
  ],
  'who leaves while told takes the place of the next': [
    'events-leave-while-told',
    telling((listeners, id) => {
      for (let index = 0; index < listeners.length; index += 1) listeners[index]?.received(id);
    }),
  ],
};
