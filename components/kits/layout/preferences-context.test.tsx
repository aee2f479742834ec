import { act, lazy, Suspense } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { defaultPreferences } from '@/lib/client/preferences'
import { PreferencesProvider, useZone } from './preferences-context'

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const initialPreferences = {
  ...defaultPreferences,
  zone: browserZone === 'Asia/Tokyo' ? 'UTC' : 'Asia/Tokyo',
}

const ZoneText = () => <p>{useZone()}</p>

test('a part that hydrates late keeps the server’s time until then and switches to the browser’s time zone', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  let resolveImport: (module: { default: typeof ZoneText }) => void = () => {}
  const LateZoneText = lazy(
    () => new Promise<{ default: typeof ZoneText }>((resolve) => (resolveImport = resolve)),
  )
  const buildHydratingPage = (Part: typeof ZoneText | typeof LateZoneText) => (
    <PreferencesProvider initial={initialPreferences} renderedAt="2026-03-31T12:00:00Z">
      <Suspense fallback="being read">
        <Part />
      </Suspense>
    </PreferencesProvider>
  )
  const container = document.createElement('div')
  container.innerHTML = renderToString(buildHydratingPage(ZoneText))
  const hydrationErrors: string[] = []
  await act(async () => {
    hydrateRoot(container, buildHydratingPage(LateZoneText), {
      onRecoverableError: (error) => hydrationErrors.push(String(error)),
    })
  })
  expect(container.textContent).toBe(initialPreferences.zone)
  await act(async () => resolveImport({ default: ZoneText }))
  expect(container.textContent).toBe(browserZone)
  expect(hydrationErrors).toEqual([])
})

test('a part that still streams from the server is not rendered a second time', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const buildStreamingPage = (Part: typeof ZoneText | typeof NeverLoadedZoneText) => (
    <PreferencesProvider initial={initialPreferences} renderedAt="2026-03-31T12:00:00Z">
      <ZoneText />
      <main>
        <Suspense fallback=", loading">
          <Part />
        </Suspense>
      </main>
    </PreferencesProvider>
  )
  const NeverLoadedZoneText = lazy(() => new Promise<{ default: typeof ZoneText }>(() => {}))
  const container = document.createElement('div')
  // The test needs a streamed Suspense boundary that has arrived and is not shown yet (`$~`).
  // `renderToString` writes the marker of a failed one (`$!`), so the marker is replaced.
  container.innerHTML = renderToString(buildStreamingPage(NeverLoadedZoneText)).replace(
    /<!--\$!--><template[^>]*>/,
    '<!--$~--><template id="B:0">',
  )
  expect(container.innerHTML).toContain('<!--$~-->')
  await act(async () => {
    hydrateRoot(container, buildStreamingPage(ZoneText))
  })
  expect(container.textContent).toBe(`${browserZone}, loading`)
})
