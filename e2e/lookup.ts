import { expect, type Page } from '@playwright/test'
import { serviceApiPath } from '@/lib/routes'

/**
 * Reads objects of the service through Paydesk's API, as the person who is signed in on the page.
 */
export async function fetchObjects<T extends { id: string }>(
  page: Page,
  path: string,
  query = '',
): Promise<T[]> {
  const objectsResponse = await page.request.get(serviceApiPath('sandbox', path, query))
  expect(objectsResponse.ok(), path).toBe(true)
  return ((await objectsResponse.json()) as { data: T[] }).data
}

export const getTableRows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

/**
 * Makes a change that clients of the real service cannot make: a decision of its compliance team,
 * or the configuration of an account.
 */
export async function changeSandboxState(
  sandboxUrl: string,
  path: '/compliance' | '/configuration',
  body: object,
): Promise<void> {
  const response = await fetch(`${sandboxUrl}/sandbox${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  expect(response.ok, `${path}: ${response.status}`).toBe(true)
}
