import type { Locator, Page } from '@playwright/test'

export const reasonField = (area: Page | Locator): Locator => area.getByLabel('Reason', { exact: true })
export const noteField = (area: Page | Locator): Locator => area.getByLabel('Note', { exact: true })

/** Chooses a reason. Its template fills the note. */
export const chooseReason = async (area: Page | Locator, label: string): Promise<void> => {
  await reasonField(area).selectOption({ label })
}

/** Returns a fixed reason as a request header, for changes that only prepare a test. */
export const reasonHeader = { 'action-reason': encodeURIComponent('DATA_CORRECTED: An entry error in the record was corrected.') }
