'use client'

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import {
  defaultPreferences,
  formatPreferences,
  type Preferences,
  preferencesCookie,
  shownZone,
  viewAttributes,
} from '@/lib/client/preferences'
import { createStore, type Store, useStore } from '@/lib/client/store'
import { ownZone } from '@/lib/formats'

type Change = (part: Partial<Preferences>) => void

type Held = { store: Store<Preferences>; change: Change; renderedAt: string }

/** Holds the preferences outside React: a change renders only the components that read them. */
function hold(initial: Preferences, renderedAt: string): Held {
  const store = createStore(initial)
  const change: Change = (part) => {
    const preferences = { ...store.read(), ...part }
    keep(preferences)
    store.set(preferences)
  }
  return { store, change, renderedAt }
}

const PreferencesContext = createContext(hold(defaultPreferences, ''))

/**
 * `renderedAt` is the server's clock (ISO), so the first paint in the browser shows the same "3 h ago" as the HTML. The context value never
 * changes: a change while parts of the page still stream in would make React discard and render those parts again.
 */
export function PreferencesProvider({ initial, renderedAt, children }: { initial: Preferences; renderedAt: string; children: ReactNode }) {
  const [held] = useState(() => hold(initial, renderedAt))

  useEffect(() => {
    // On the first visit the server does not have the zone; from the second visit on it renders times in it.
    const zone = ownZone()
    if (zone && held.store.read().zone !== zone) held.change({ zone })
  }, [held])

  return <PreferencesContext value={held}>{children}</PreferencesContext>
}

/**
 * Returns the person's preferences. Late streamed parts hydrate with the server's preferences even if the browser's zone is set already, so
 * both render the same text.
 */
export function usePreferences(): { preferences: Preferences; renderedAt: string; change: Change } {
  const { store, renderedAt, change } = useContext(PreferencesContext)
  return { preferences: useStore(store), renderedAt, change }
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
