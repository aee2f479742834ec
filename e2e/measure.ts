import type { Page } from '@playwright/test'

/** The title's distance from the left and the top of the page's content, and its font size. */
export type TitlePlace = { x: number; y: number; fontSize: string }

export const measureTitle = (page: Page): Promise<TitlePlace> =>
  page.evaluate(() => {
    const title = document.querySelector('main h1')
    const content = document.querySelector('main')?.getBoundingClientRect()
    if (!title || !content) throw new Error('the page has no title')
    const { paddingTop, fontSize } = getComputedStyle(title)
    const { x, y } = title.getBoundingClientRect()
    return {
      x: Math.round(x - content.x),
      y: Math.round(y - content.y + Number.parseFloat(paddingTop)),
      fontSize,
    }
  })

/**
 * Returns the controls that a finger can hardly hit: lower than 40 px, including an invisible
 * `::after` that enlarges them. Form: `name: height`.
 */
export const findSmallControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controlSelector =
      ':is(main, body > * > header, header) :is(button, select, textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"], [type="file"]), a)'
    return (
      [...document.querySelectorAll<HTMLElement>(controlSelector)]
        .filter((control) => control.checkVisibility() && control.closest('[popover]') === null)
        // Only a link that looks like a control must be as large as one.
        .filter(
          (control) =>
            control.tagName !== 'A' || getComputedStyle(control).display === 'inline-flex',
        )
        .flatMap((control) => {
          const after = getComputedStyle(control, '::after')
          const afterHeight = after.position === 'absolute' ? Number.parseFloat(after.height) : 0
          const height = Math.max(control.getBoundingClientRect().height, afterHeight || 0)
          const name = control.ariaLabel ?? control.textContent?.trim() ?? ''
          return height > 0 && height < 39.5
            ? [`${control.tagName} ${name.slice(0, 30)}: ${Math.round(height)}`]
            : []
        })
    )
  })

/** Returns the text fields whose letters are so small that iOS zooms into them. */
export const findZoomedFields = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'main :is(input:not([type="hidden"], [type="checkbox"], [type="radio"], [type="file"]), select, textarea)',
      ),
    ]
      .filter((field) => field.checkVisibility())
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => `${field.tagName} ${field.getAttribute('name')}`),
  )

/**
 * Returns the links in texts that do not look like the others. A link that covers its row, a
 * link that sorts a table and a link that looks like a button have their own look.
 */
export const findOddLinks = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--accent)'
    const accent = getComputedStyle(probe).color
    probe.remove()
    return [...document.querySelectorAll<HTMLElement>('main a')]
      .filter((link) => link.checkVisibility() && link.closest('nav, th') === null)
      .filter((link) => getComputedStyle(link, '::after').position !== 'absolute')
      .filter((link) => !['flex', 'grid'].includes(getComputedStyle(link).display))
      .filter((link) => getComputedStyle(link).borderTopWidth === '0px')
      .filter(
        (link) =>
          getComputedStyle(link).color !== accent ||
          getComputedStyle(link).textDecorationLine !== 'none',
      )
      .map((link) => link.textContent ?? '')
  })
