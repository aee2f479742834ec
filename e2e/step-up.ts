import { expect, type Page } from '@playwright/test'
import { password } from './person'

export const getStepUpDialog = (page: Page) => page.getByRole('dialog', { name: 'Verify it’s you' })

export async function confirmByPassword(page: Page): Promise<void> {
  const dialog = getStepUpDialog(page)
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(dialog).toHaveCount(0)
}
