'use client'

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import {
  defaultPreferences,
  formatPreferences,
  type Preferences,
  preferencesCookie,
  shownZone,
  viewAttributes,
} from '@/lib/client/preferences'
import { ownZone } from '@/lib/formats'

type Store = {
  initial: Preferences
  read: () => Preferences
  subscribe: (listener: () => void) => () => void
  change: (part: Partial<Preferences>) => void
}

/** Holds the preferences outside React: a change renders only the components that read them. */
function storeOf(initial: Preferences): Store {
  let preferences = initial
  const listeners = new Set<() => void>()
  return {
    initial,
    read: () => preferences,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (part) => {
      preferences = { ...preferences, ...part }
      keep(preferences)
      for (const listener of listeners) listener()
    },
  }
}

const PreferencesContext = createContext({ store: storeOf(defaultPreferences), renderedAt: '' })

/**
 * `renderedAt` is the server's clock (ISO), so the first paint in the browser shows the same "3 h ago" as the HTML. The context value never
 * changes: a change while parts of the page still stream in would make React discard and render those parts again.
 */
export function PreferencesProvider({ initial, renderedAt, children }: { initial: Preferences; renderedAt: string; children: ReactNode }) {
  const [held] = useState(() => ({ store: storeOf(initial), renderedAt }))

  useEffect(() => {
    // On the first visit the server does not have the zone; from the second visit on it renders times in it.
    const zone = ownZone()
    if (zone && held.store.read().zone !== zone) held.store.change({ zone })
  }, [held])

  return <PreferencesContext value={held}>{children}</PreferencesContext>
}

type Held = { preferences: Preferences; renderedAt: string; change: Store['change'] }

/**
 * Returns the person's preferences. Late streamed parts hydrate with the server's preferences even if the browser's zone is set already, so
 * both render the same text.
 */
export function usePreferences(): Held {
  const { store, renderedAt } = useContext(PreferencesContext)
  const preferences = useSyncExternalStore(store.subscribe, store.read, () => store.initial)
  return { preferences, renderedAt, change: store.change }
}

/** The IANA zone of displayed times, from the person's preferences. */
export const useZone = (): string => shownZone(usePreferences().preferences)

function keep(preferences: Preferences) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we support
  document.cookie = `${preferencesCookie}=${formatPreferences(preferences)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
  for (const [name, value] of Object.entries(viewAttributes(preferences))) {
    if (value === undefined) document.documentElement.removeAttribute(name)
    else document.documentElement.setAttribute(name, value)
  }
}
