declare global {
  var __zod_globalConfig: { jitless: true }
}

// Our content security policy forbids scripts from strings (`eval`). On each load, Zod tries if
// they are allowed, and the browser would report that as a violation. `jitless` turns the attempt
// off. It is set through this global, because an import of Zod would add Zod to the first load of
// every page.
globalThis.__zod_globalConfig = { jitless: true }

/**
 * Next calls this when a navigation begins: by a link, a key, the command palette, or a finished
 * form. Stores the URL that the person leaves, for `lib/client/navigation.ts`. Back and Forward
 * (`traverse`) store nothing, because the URL is already the new one. The value is a global,
 * because an import of that file would add it to every page.
 */
export function onRouterTransitionStart(_url: string, type: 'push' | 'replace' | 'traverse'): void {
  globalThis.__navigatingFrom = type === 'traverse' ? undefined : location.href
}
