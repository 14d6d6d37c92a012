// PAGES=folder node --test browser_test.mjs: opens the pages of make_pages as a reader would.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import test, { after, before } from "node:test";
import { chromium } from "playwright-core";

const folder = process.env.PAGES;
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    headless: true,
    args: flags,
  });
});
after(() => browser.close());

/// Opens a page, runs the visit, and fails on any console message, error or request.
async function visit(name, options, doing) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(120_000); // only a page that hangs gets there
  const page = await context.newPage();
  const wrong = [];
  const file = `file://${folder}/${name}.html`;
  page.on("console", message => wrong.push(`console: ${message.text()}`));
  page.on("pageerror", error => wrong.push(`error: ${error.message}`));
  page.on("request", request => {
    const url = request.url();
    if (url !== file && !/^(data|blob):/.test(url)) wrong.push(`request: ${url}`);
  });
  await page.addInitScript(() => {
    window.pixelsOf = canvas => {
      // from a copy: Chromium warns of reading a canvas it draws on
      const copy = new OffscreenCanvas(canvas.width, canvas.height);
      const context = copy.getContext("2d", { willReadFrequently: true });
      context.drawImage(canvas, 0, 0);
      return context.getImageData(0, 0, canvas.width, canvas.height).data;
    };
  });
  await page.goto(file);
  await doing(page);
  await context.close();
  assert.deepEqual(wrong, []);
}

const names = page =>
  page.$$eval("#parameters tbody label", labels => labels.map(l => l.textContent));
const column = (page, k) =>
  page.$$eval(`#parameters tbody td:nth-child(${k})`, cells => cells.map(c => +c.title));

/// Scrolls through the page so that every figure is drawn; how many have a picture, not a blank.
async function drawn(page) {
  await page.$$eval("figure", async figures => {
    for (const figure of figures) {
      figure.scrollIntoView();
      while (!figure.drawn) await new Promise(done => requestAnimationFrame(done));
    }
  });
  return page.$$eval(
    "figure",
    figures =>
      figures.filter(figure => {
        const canvas = figure.querySelector("canvas");
        if (!canvas) return false;
        const pixels = pixelsOf(canvas);
        const colours = new Set();
        for (let i = 0; i < pixels.length; i += 4)
          colours.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
        return colours.size > 8;
      }).length,
  );
}

test("opens from disk, draws every figure, says nothing to the console or the network", () =>
  visit("learnt", {}, async page => {
    assert.match(await page.textContent("h1"), /gp51\s+by gadmala/);
    assert.match(await page.textContent(".verdict"), /ound/);
    const figures = await page.locator("figure").count();
    assert.ok(figures >= 1 + 3 * 5 + 3 + 1 + 4 + 1 + 2, `${figures} figures`);
    assert.equal(await drawn(page), figures);
    assert.equal(await page.locator("#distances tbody tr").count(), 4);
  }));

test("shows the change of variables: driver, exponent, what it moves and how centred", () =>
  visit("funnel", {}, async page => {
    const cells = id =>
      page.$$eval(`#${id} tbody tr`, all =>
        all.map(row => [...row.cells].map(cell => cell.textContent)),
      );
    const [layer] = await cells("warp");
    assert.deepEqual(layer.slice(0, 3), ["v", "−1.000", "9"]);
    const members = await cells("warp-members-0");
    assert.deepEqual(
      members.map(([name]) => name).sort(),
      Array.from({ length: 9 }, (_, i) => `x.${i + 1}`),
    );
    for (const [, centred] of members) assert.ok(+centred > 0.9 && +centred <= 1, centred);
    assert.match(await page.textContent("#learnt"), /learnt in other coordinates/);
  }));

test("the table begins with the lowest ESS, sorts by any column and turns around", () =>
  visit("learnt", {}, async page => {
    assert.match(await page.textContent(".count"), /of 51, lowest ESS first/);
    for (const [key, k] of [
      ["mean", 2],
      ["rhat", 11],
    ]) {
      await page.click(`th button[data-key="${key}"]`);
      const up = await column(page, k);
      assert.equal(up.length, 25);
      assert.deepEqual(
        up,
        [...up].sort((a, b) => a - b),
      );
      await page.click(`th button[data-key="${key}"]`);
      const down = await column(page, k);
      assert.deepEqual(
        down,
        [...down].sort((a, b) => b - a),
      );
      assert.ok(down[0] > up[0]);
    }
    await page.click('th button[data-key="name"]');
    assert.deepEqual((await names(page)).slice(0, 3), ["x.1", "x.2", "x.3"]);
  }));

test("the table filters and turns its pages", () =>
  visit("learnt", {}, async page => {
    await page.click('th button[data-key="name"]');
    await page.click("text=→");
    assert.equal((await names(page))[0], "x.26");
    await page.fill("input[type=search]", "X.4");
    assert.deepEqual(await names(page), [
      "x.4",
      ...Array.from({ length: 10 }, (_, i) => `x.4${i}`),
    ]);
    await page.fill("input[type=search]", "nothing like it");
    assert.match(await page.textContent(".count"), /no parameter of that name/);
  }));

test("choosing a parameter draws its plots, and leaving it removes them", () =>
  visit("learnt", {}, async page => {
    const headings = () => page.$$eval("#plots h3.parameter", all => all.map(h => h.textContent));
    const before = await headings();
    assert.equal(before.length, 3);
    await page.fill("input[type=search]", "x.40");
    await page.click("#parameters tbody tr");
    assert.deepEqual(await headings(), [...before, "x.40"]);
    assert.equal(await page.locator("#plots figure").count(), 1 + 4 * 5 + 6);
    await page.click("#parameters tbody label");
    assert.deepEqual(await headings(), before);
  }));

test("heat maps switch between correlation, covariance and chains", () =>
  visit("learnt", {}, async page => {
    const captions = () =>
      page.$$eval("#learnt .half figcaption > span:first-child", all =>
        all.map(c => c.textContent),
      );
    assert.deepEqual(await captions(), [
      "Learnt: L Lᵀ as correlation",
      "Draws: posterior correlation",
    ]);
    await page.click("#learnt button:text-is('covariance')");
    assert.deepEqual(await captions(), [
      "Learnt: L Lᵀ as covariance",
      "Draws: posterior covariance",
    ]);
    await page.selectOption("#learnt select", "2");
    assert.equal(await page.locator("#learnt figure.half").count(), 2);
  }));

test("follows the system's dark mode and the button", () =>
  visit("learnt", { colorScheme: "dark" }, async page => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const corner = () => page.$eval("#plots canvas", canvas => [...pixelsOf(canvas).slice(0, 3)]);
    await drawn(page);
    assert.equal(await paper(), "rgb(20, 24, 27)");
    assert.ok((await corner()).every(v => v < 60));
    await page.click("#theme");
    await drawn(page);
    assert.equal(await paper(), "rgb(251, 250, 248)");
    assert.ok((await corner()).every(v => v > 200));
  }));

test("names that try to be code are shown and not run", () =>
  visit("hostile", {}, async page => {
    const boxes = page.locator("#parameters input");
    for (let i = 0; i < 5; ++i) await boxes.nth(i).check();
    await drawn(page);
    const shown = await names(page);
    for (const name of ["<script>window.hacked = 1</script>", "größe, 大きさ, 🦆", "<!--"]) {
      assert.ok(shown.includes(name), name);
    }
    assert.equal(await page.title(), "</title><script>window.hacked = 4</script>");
    assert.match(await page.textContent("h1"), /<b>target<\/b>/);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("img, h1 b, td script").count(), 0);
    assert.match(await page.textContent("#plots"), /4 divergent/);
    assert.match(await page.textContent("#learnt"), /does not hold what the sampler learnt/);
  }));

test("the rows of a page are chosen together, and their intervals drawn", () =>
  visit("learnt", {}, async page => {
    await page.fill("input[type=search]", "x.4");
    await page.click("#choose");
    const forest = page.locator("#plots figure").first();
    assert.match(await forest.textContent(), /^Intervals/);
    assert.equal(await page.locator("#plots h3.parameter").count(), 3 + 11);
    await page.click("#choose");
    assert.equal(await page.locator("#plots h3.parameter").count(), 3);
  }));

test("a constant history is not drawn, and numbers stand before pictures", () =>
  visit("learnt", {}, async page => {
    const titles = await page.$$eval("#learnt figcaption span:first-child", all =>
      all.map(t => t.textContent),
    );
    assert.ok(titles.includes("Acceptance") && !titles.includes("Step"), titles.join(", "));
    const heads = await page.$$eval("#parameters th", all => all.map(h => h.textContent));
    assert.deepEqual(heads.slice(-2), ["density", "trace"]);
  }));

test("unsound runs and runs of different targets are not said to agree", () =>
  visit("unlike", {}, async page => {
    const text = await page.textContent("#page");
    assert.match(text, /Not sound: gp51-mala/);
    assert.match(text, /targets are not the same.*gp51-mala: gp51; neal100-mala: neal100/);
    assert.doesNotMatch(text, /Do they agree/);
  }));

test("several runs are compared, and each can be opened", () =>
  visit("compared", {}, async page => {
    assert.equal(await page.locator("#comparison tbody tr").count(), 2);
    assert.equal(await drawn(page), 7);
    await page.click("#runs button:text-is('gp51-nuts')");
    assert.match(await page.textContent("h1"), /by nuts/);
    await page.click("#runs button:text-is('comparison')");
    assert.match(await page.textContent("h1"), /2 runs compared/);
  }));

test("a figure is saved as SVG and PNG", () =>
  visit("learnt", {}, async page => {
    for (const kind of ["SVG", "PNG"]) {
      const card = page.locator("#plots figure").first();
      await card.hover();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        card.locator(`button:text-is('${kind}')`).click(),
      ]);
      assert.equal(download.suggestedFilename(), `Intervals.${kind.toLowerCase()}`);
      const start = readFileSync(await download.path())
        .subarray(0, 4)
        .toString("latin1");
      assert.equal(start, kind === "SVG" ? "<svg" : "\x89PNG");
    }
  }));

test("4 x 20,000 x 100: below 8 MB, and the table answers", () => {
  assert.ok(statSync(`${folder}/large.html`).size < 8e6);
  return visit("large", {}, async page => {
    await page.fill("input[type=search]", "x.77");
    assert.deepEqual(await names(page), ["x.77"]);
  });
});

test("fits a phone without scrolling sideways", () =>
  visit("learnt", { viewport: { width: 360, height: 740 } }, async page => {
    await drawn(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }));

test("is printed light, with every figure drawn", () =>
  visit("learnt", { colorScheme: "dark" }, async page => {
    const pdf = await page.pdf();
    assert.equal(pdf.subarray(0, 4).toString(), "%PDF");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.getAttribute("html", "data-theme"), "light");
    const figures = await page.locator("figure").count();
    assert.equal(await page.locator("figure canvas").count(), figures);
  }));

test("contours and images are drawn by the same specifications", () =>
  visit("learnt", {}, async page => {
    const specs = JSON.parse(readFileSync(`${folder}/gallery.json`, "utf8"));
    const svg = spec =>
      page.evaluate(s => new vega.View(vega.parse(s, configuration())).toSVG(), spec);
    const contour = await svg(specs.contour);
    const lines = contour.match(/<path [^>]*d="M[^"]{200,}"/g) ?? []; // long paths: no ticks
    assert.equal(lines.length, 3);
    assert.match(await svg(specs.image), /<image [^>]*data:image\/png/);
  }));

test("the page of a reproduction draws its tables and every figure", () =>
  visit("reproduction/index", {}, async page => {
    assert.match(await page.textContent("h1"), /The paper, reproduced/);
    const rows = await page.$$eval("table tbody tr td:first-child", cells =>
      cells.map(cell => cell.textContent),
    );
    assert.ok(rows.includes("gadMALAf × 0.05"), rows.join(", "));
    const figures = await page.locator("figure").count();
    assert.equal(figures, 4 + 5 + 4 + 5); // figure 1, traces, diagonals, log targets
    assert.equal(await drawn(page), figures);
  }));
