// The one way by which the page makes scripts of its own parts, where the browser asks for one (Trusted Types).

interface Policy {
  createScriptURL(url: string): string;
  createScript(text: string): string;
}

interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

const rules: Policy = { createScriptURL: (url) => url, createScript: (text) => text };

export const policy: Policy =
  (globalThis as unknown as { trustedTypes?: Factory }).trustedTypes?.createPolicy("keelblocks", rules) ?? rules;
