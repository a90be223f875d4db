// Movies play when asked to, and step by frames: the arrow keys on a slider, or , and . on the movie.
let speed = 1;

for (const article of document.querySelectorAll("article")) {
  const video = article.querySelector("video");
  const slider = article.querySelector("input");
  const button = article.querySelector(".transport button");
  const shown = article.querySelector("output");
  const rate = Number(video.dataset.rate);

  const tell = () => {
    const frame = Math.min(Math.floor(video.currentTime * rate + 0.01), Number(slider.max));
    slider.value = String(frame);
    shown.textContent = `frame ${frame} / ${slider.max}`;
  };
  const follow = () => {
    tell();
    if (!video.paused) requestAnimationFrame(follow);
  };
  const go = (frame) => {
    video.pause();
    // Amid the frame, so that rounding never shows its neighbour.
    video.currentTime = (Math.max(0, Math.min(frame, Number(slider.max))) + 0.5) / rate;
  };
  const toggle = () => {
    if (video.paused) {
      for (const other of document.querySelectorAll("video")) if (other !== video) other.pause();
      video.playbackRate = speed;
      void video.play();
    } else video.pause();
  };

  button.addEventListener("click", toggle);
  video.addEventListener("click", toggle);
  video.addEventListener("keydown", (event) => {
    if (event.key === " ") toggle();
    else if (event.key === ",") go(Number(slider.value) - 1);
    else if (event.key === ".") go(Number(slider.value) + 1);
    else return;
    event.preventDefault();
  });
  video.addEventListener("play", () => { button.textContent = "Pause"; follow(); });
  video.addEventListener("pause", () => { button.textContent = "Play"; tell(); });
  video.addEventListener("seeked", tell);
  slider.addEventListener("input", () => go(Number(slider.value)));
}

for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => {
    speed = Number(button.dataset.speed);
    for (const each of document.querySelectorAll("nav button")) each.setAttribute("aria-pressed", String(each === button));
    for (const video of document.querySelectorAll("video")) video.playbackRate = speed;
  });
}

const navigation = document.querySelector("nav");
new ResizeObserver(() => document.documentElement.style.setProperty("--navigation", `${navigation.offsetHeight}px`)).observe(navigation);
