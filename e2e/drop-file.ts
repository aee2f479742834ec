import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

/** Drags a file from outside the browser and drops it on the upload form. */
export async function dropFile(page: Page, { name, buffer }: { name: string; buffer: Buffer }): Promise<void> {
  const path = test.info().outputPath(name)
  await writeFile(path, buffer)
  const zone = page.getByRole('group', { name: 'Files to upload' })
  await zone.scrollIntoViewIfNeeded()
  const box = await zone.boundingBox()
  if (!box) throw new Error('the upload is not open')
  const session = await page.context().newCDPSession(page)
  const dispatchDrag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    })
  await dispatchDrag('dragEnter')
  await dispatchDrag('dragOver')
  await expect(zone).toHaveAttribute('data-over', 'true')
  await dispatchDrag('drop')
  await expect(zone).toHaveAttribute('data-over', 'false')
}
