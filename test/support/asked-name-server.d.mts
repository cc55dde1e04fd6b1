export function askAt(port: string): void;
export function askTheSystem(): void;
