declare global {
  var __zod_globalConfig: { jitless: true }
}

// Our CSP forbids running strings as scripts. On each load Zod tests this with an attempt that would be a reported violation. Zod reads its
// settings from this global. Importing Zod only to set them would add it to the first load of every page.
globalThis.__zod_globalConfig = { jitless: true }

/**
 * Next calls this when a navigation begins: a link, a key, the palette, or a finished form. After Back or Forward the URL is already the
 * new one. `lib/client/leaving.ts` reads the value; an import of it here would add it to every page.
 */
export function onRouterTransitionStart(_url: string, type: 'push' | 'replace' | 'traverse'): void {
  globalThis.__left = type === 'traverse' ? undefined : location.href
}
