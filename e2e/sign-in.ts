import { expect, type Page } from '@playwright/test'
import type { Role } from '@/lib/operations/define'
import { emailOf } from './fixtures'

export const getDemoButton = (page: Page, role: Role) =>
  page.getByRole('button', { name: new RegExp(`^${role} .*${emailOf(role)}`) })

export async function submitSignInForm(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export const expectHome = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
