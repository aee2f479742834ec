import { expect as expectPage, type FrameLocator, type Page } from '@playwright/test'

export const findHeading = (frame: FrameLocator | Page, name: string) =>
  frame.getByRole('heading', { name, exact: true })

/** Chooses a bank on the hosted page, signs in and waits for the list of accounts. */
export async function signInAtBank(frame: FrameLocator | Page, bank = 'Gringotts'): Promise<void> {
  await frame.getByRole('button', { name: bank }).click()
  await frame.getByLabel('User name').fill('griphook')
  await frame.getByLabel('Password').fill('not a real one')
  await frame.getByRole('button', { name: 'Sign in' }).click()
  await expectPage(findHeading(frame, 'Choose an account')).toBeFocused()
}

export const submitChosenAccount = (frame: FrameLocator | Page) =>
  frame.getByRole('button', { name: /Link this account|Try again/ }).click()
