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
  /** What the server drew the page with. */
  initial: Preferences
  read: () => Preferences
  subscribe: (listener: () => void) => () => void
  change: (part: Partial<Preferences>) => void
}

/** The preferences outside of React's tree: who reads them is told of a change, and nothing else is rendered again. */
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
 * `renderedAt` is the server's clock (ISO), so that the first paint in the browser says the same "3 h ago" as the HTML. The context never changes:
 * one that did while parts of the page still stream in would make React throw those parts away and draw them again.
 */
export function PreferencesProvider({ initial, renderedAt, children }: { initial: Preferences; renderedAt: string; children: ReactNode }) {
  const [held] = useState(() => ({ store: storeOf(initial), renderedAt }))

  useEffect(() => {
    // The first visit cannot know the zone; from the second on the server writes times in it.
    const zone = ownZone()
    if (zone && held.store.read().zone !== zone) held.store.change({ zone })
  }, [held])

  return <PreferencesContext value={held}>{children}</PreferencesContext>
}

type Held = { preferences: Preferences; renderedAt: string; change: Store['change'] }

/**
 * The person's preferences. A part of the page that streams in late is taken over when the browser's zone is known already: until then it gets
 * the preferences the server drew it with, so that both write the same words.
 */
export function usePreferences(): Held {
  const { store, renderedAt } = useContext(PreferencesContext)
  const preferences = useSyncExternalStore(store.subscribe, store.read, () => store.initial)
  return { preferences, renderedAt, change: store.change }
}

/** The IANA zone times are written in, by the person's choice. */
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
