'use client'

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import {
  defaultPreferences,
  formatPreferences,
  getShownTimeZone,
  type Preferences,
  preferencesCookie,
  toHtmlDataAttributes,
} from '@/lib/client/preferences'
import { createStore, type Store, useStore } from '@/lib/client/store'
import { getLocalTimeZone } from '@/lib/formats'

type ChangePreferences = (part: Partial<Preferences>) => void

type PreferencesState = { store: Store<Preferences>; change: ChangePreferences; renderedAt: string }

/** A store outside React, so that a change renders only components that read the preferences. */
function createPreferencesState(initial: Preferences, renderedAt: string): PreferencesState {
  const preferencesStore = createStore(initial)
  const changePreferences: ChangePreferences = (part) => {
    const preferences = { ...preferencesStore.read(), ...part }
    storePreferences(preferences)
    preferencesStore.set(preferences)
  }
  return { store: preferencesStore, change: changePreferences, renderedAt }
}

const PreferencesContext = createContext(createPreferencesState(defaultPreferences, ''))

/**
 * Provides the preferences. `renderedAt` is the server's time (ISO), so that the first render in
 * the browser shows the same "3 h ago" as the HTML. The context value never changes. If it changed
 * while parts of the page still stream in, React would discard those parts and render them again.
 */
export function PreferencesProvider({
  initial,
  renderedAt,
  children,
}: {
  initial: Preferences
  renderedAt: string
  children: ReactNode
}) {
  const [state] = useState(() => createPreferencesState(initial, renderedAt))

  useEffect(() => {
    // Stores the zone in the cookie: on the first visit the server does not know it.
    const zone = getLocalTimeZone()
    if (zone && state.store.read().zone !== zone) state.change({ zone })
  }, [state])

  return <PreferencesContext value={state}>{children}</PreferencesContext>
}

/**
 * Returns the person's preferences. A part of the page that streams in late first renders with the
 * preferences that the server had, because its HTML was rendered with them. Then it renders with
 * the current ones.
 */
export function usePreferences(): {
  preferences: Preferences
  renderedAt: string
  change: ChangePreferences
} {
  const { store, renderedAt, change } = useContext(PreferencesContext)
  return { preferences: useStore(store), renderedAt, change }
}

/** Returns the IANA time zone in which times are shown, from the person's preferences. */
export const useZone = (): string => getShownTimeZone(usePreferences().preferences)

function storePreferences(preferences: Preferences) {
  const secureAttribute = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers we support
  document.cookie = `${preferencesCookie}=${formatPreferences(preferences)}; Path=/; Max-Age=31536000; SameSite=Lax${secureAttribute}`
  for (const [name, value] of Object.entries(toHtmlDataAttributes(preferences))) {
    if (value === undefined) document.documentElement.removeAttribute(name)
    else document.documentElement.setAttribute(name, value)
  }
}
