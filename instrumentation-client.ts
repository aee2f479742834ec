declare global {
  var __zod_globalConfig: { jitless: true }
}

// Our policy lets no string be run as a script. Zod would find that out by trying, each time it is loaded, and every try is a violation to report.
// It reads its settings from here; to import it for that alone would make every page load it first.
globalThis.__zod_globalConfig = { jitless: true }

/**
 * Next calls this when a navigation begins: a link, a key, the palette, or a finished form. After Back or Forward the URL is already the new one. `lib/client/leaving.ts`
 * reads the value; an import of it here would add it to every page.
 */
export function onRouterTransitionStart(_url: string, type: 'push' | 'replace' | 'traverse'): void {
  globalThis.__left = type === 'traverse' ? undefined : location.href
}
