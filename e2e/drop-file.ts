import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

/** Drags a file from outside the browser into the open upload form and drops it there. */
export async function dropFile(
  page: Page,
  { name, buffer }: { name: string; buffer: Buffer },
): Promise<void> {
  const path = test.info().outputPath(name)
  await writeFile(path, buffer)
  const dropZone = page.getByRole('group', { name: 'Files to upload' })
  await dropZone.scrollIntoViewIfNeeded()
  const box = await dropZone.boundingBox()
  if (!box) throw new Error('the upload is not open')
  const cdpSession = await page.context().newCDPSession(page)
  const dispatchDrag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    cdpSession.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    })
  await dispatchDrag('dragEnter')
  await dispatchDrag('dragOver')
  await expect(dropZone).toHaveAttribute('data-over', 'true')
  await dispatchDrag('drop')
  await expect(dropZone).toHaveAttribute('data-over', 'false')
}
