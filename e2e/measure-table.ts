import type { Page } from '@playwright/test'

/** Returns the texts in the columns with these headers that end with an ellipsis. */
export const findCutNames = (page: Page, headers: readonly string[]): Promise<string[]> =>
  page.evaluate((headerTexts) => {
    const columnIndexes = [...document.querySelectorAll('thead th')].flatMap((header, index) =>
      headerTexts.includes(header.textContent?.replace(/[↑↓]/g, '').trim() ?? '') &&
      header.checkVisibility()
        ? [index]
        : [],
    )
    return [...document.querySelectorAll('tbody tr')].flatMap((row) =>
      columnIndexes.flatMap((index) =>
        [...(row.children[index]?.querySelectorAll('*') ?? [])]
          .filter(
            (part) =>
              getComputedStyle(part).textOverflow === 'ellipsis' &&
              part.scrollWidth > part.clientWidth + 1,
          )
          .map((part) => part.textContent ?? ''),
      ),
    )
  }, headers)

/** Returns the tables that are wider than the list around them. */
export const findOverflowingTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main table')].flatMap((table) => {
      const [width, room] = [table.scrollWidth, table.parentElement?.clientWidth ?? 0]
      return width > room + 1 ? [`${width} in ${room}`] : []
    }),
  )

export const measureRowHeights = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main tbody tr')].map((row) =>
      Math.round(row.getBoundingClientRect().height),
    ),
  )
