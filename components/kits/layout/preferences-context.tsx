'use client'

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import {
  defaultPreferences,
  formatPreferences,
  type Preferences,
  preferencesCookie,
  shownZone,
  viewAttributes,
} from '@/lib/client/preferences'

type Held = { preferences: Preferences; initial: Preferences; renderedAt: string; change: (part: Partial<Preferences>) => void }

const PreferencesContext = createContext<Held>({
  preferences: defaultPreferences,
  initial: defaultPreferences,
  renderedAt: '',
  change: () => {},
})

/** `renderedAt` is the server's clock (ISO), so that the first paint in the browser says the same "3 h ago" as the HTML. */
export function PreferencesProvider({ initial, renderedAt, children }: { initial: Preferences; renderedAt: string; children: ReactNode }) {
  const [preferences, setPreferences] = useState(initial)
  const change = useCallback((part: Partial<Preferences>) => setPreferences((old) => ({ ...old, ...part })), [])

  useEffect(() => {
    // The first visit cannot know the zone; from the second on the server writes times in it.
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    if (zone) setPreferences((old) => (old.zone === zone ? old : { ...old, zone }))
  }, [])

  useEffect(() => {
    if (preferences === initial) return
    keep(preferences)
  }, [preferences, initial])

  const held = useMemo(() => ({ preferences, initial, renderedAt, change }), [preferences, initial, renderedAt, change])
  return <PreferencesContext value={held}>{children}</PreferencesContext>
}

const neverChanges = () => () => {}

/**
 * The person's preferences. A part of the page that streams in late is taken over when the browser's zone is known already: until then it gets
 * the preferences the server drew it with, so that both write the same words.
 */
export function usePreferences(): Omit<Held, 'initial'> {
  const { preferences, initial, ...held } = useContext(PreferencesContext)
  const shown = useSyncExternalStore(
    neverChanges,
    () => preferences,
    () => initial,
  )
  return { ...held, preferences: shown }
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
