declare global {
  var __zod_globalConfig: { jitless: true }
}

// Our CSP forbids running strings as scripts. On each load, Zod tests this with an attempt that the browser would report as a violation.
// `jitless` turns the test off. It is set through this global, because importing Zod here would add it to the first load of every page.
globalThis.__zod_globalConfig = { jitless: true }

/**
 * Next calls this when a navigation begins: by a link, a key, the command palette, or a finished form. After Back or Forward, the URL is
 * already the new one. `lib/client/navigation.ts` reads the value. It is not imported here, because that would add it to every page.
 */
export function onRouterTransitionStart(_url: string, type: 'push' | 'replace' | 'traverse'): void {
  globalThis.__navigatingFrom = type === 'traverse' ? undefined : location.href
}
