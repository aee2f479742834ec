import type { Locator, Page } from '@playwright/test'

/** The choice and the sentence of a form or a sheet that asks why. */
export const reasonOf = (area: Page | Locator): Locator => area.getByLabel('Reason', { exact: true })
export const noteOf = (area: Page | Locator): Locator => area.getByLabel('Note', { exact: true })

/** Chooses a reason; its template becomes the sentence. */
export const chooseReason = async (area: Page | Locator, label: string): Promise<void> => {
  await reasonOf(area).selectOption({ label })
}

/** A kept reason as a request carries it, for a change a test only needs to have happened. */
export const keptReason = { 'action-reason': encodeURIComponent('DATA_CORRECTED: An entry error in the record was corrected.') }
