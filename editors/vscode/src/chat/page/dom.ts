// The few things that the page does with elements.

type Attributes = Partial<Record<string, string>>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

export function button(label: string, title: string, run: () => void, className = ''): HTMLButtonElement {
  const b = element('button', { type: 'button', title, class: className }, label);
  b.addEventListener('click', run);
  return b;
}
