import type { Page } from '@playwright/test'

/** Notes every script a page asks for from here on, at first and later. */
export function watchScripts(page: Page): ReadonlySet<string> {
  const scripts = new Set<string>()
  page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()))
  return scripts
}
