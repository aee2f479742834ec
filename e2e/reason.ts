import type { Locator, Page } from '@playwright/test'

export const getReasonField = (area: Page | Locator): Locator =>
  area.getByLabel('Reason', { exact: true })
export const getNoteField = (area: Page | Locator): Locator =>
  area.getByLabel('Note', { exact: true })

/**
 * Selects a reason in the form of an action. The page then fills the note with the template of the
 * reason.
 */
export const chooseReason = async (area: Page | Locator, label: string): Promise<void> => {
  await getReasonField(area).selectOption({ label })
}

/**
 * Request header with a fixed reason. The API requires a reason also for writes that only prepare a
 * test.
 */
export const reasonHeader = {
  'action-reason': encodeURIComponent(
    'DATA_CORRECTED: An entry error in the record was corrected.',
  ),
}
