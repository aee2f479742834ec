declare global {
  var __zod_globalConfig: { jitless: true }
}

// Our policy lets no string be run as a script. Zod would find that out by trying, each time it is loaded, and every try is a violation to report.
// It reads its settings from here; to import it for that alone would make every page load it first.
globalThis.__zod_globalConfig = { jitless: true }

/**
 * Called by Next as it begins to go somewhere, whatever led there: links, keys, the palette, or a form that is done. See `lib/client/leaving.ts`, which every page
 * would load if it were asked here.
 */
export function onRouterTransitionStart(): void {
  globalThis.__left = location.href
}
