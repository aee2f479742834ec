import { useSyncExternalStore } from 'react'

export type Store<T> = ReturnType<typeof createStore<T>>

/** Returns a store: a value outside of React that other code and components share. */
export function createStore<T>(initial: T) {
  let currentValue = initial
  const storeListeners = new Set<() => void>()
  return {
    initial,
    read: () => currentValue,
    set: (next: T) => {
      currentValue = next
      for (const listener of storeListeners) listener()
    },
    subscribe: (listener: () => void) => {
      storeListeners.add(listener)
      return () => void storeListeners.delete(listener)
    },
  }
}

export const useStore = <T>({ subscribe, read, initial }: Store<T>): T =>
  useSyncExternalStore(subscribe, read, () => initial)
